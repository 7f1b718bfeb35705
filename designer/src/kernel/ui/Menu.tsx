import { DropdownMenu as RadixMenu } from "radix-ui";
import type { ReactNode } from "react";

export type MenuEntry =
  | "separator"
  | { heading: string }
  | {
      label: string;
      icon?: ReactNode;
      shortcut?: string;
      disabled?: boolean;
      danger?: boolean;
      onSelect: () => void;
    };
export interface MenuProps {
  /** The element that opens the menu; takes a ref. */
  trigger: ReactNode;
  items: readonly MenuEntry[];
  align?: "start" | "center" | "end";
}

const entries = (items: readonly MenuEntry[]) =>
  items.map((item, index) => {
    if (item === "separator") return <RadixMenu.Separator key={index} className="menu-sep" />;
    if ("heading" in item)
      return (
        <RadixMenu.Label key={index} className="menu-label caps">
          {item.heading}
        </RadixMenu.Label>
      );
    return (
      <RadixMenu.Item
        key={index}
        className="menu-item"
        disabled={item.disabled ?? false}
        data-tone={item.danger ? "danger" : undefined}
        onSelect={item.onSelect}
      >
        {item.icon}
        {item.label}
        {item.shortcut ? <span className="menu-key">{item.shortcut}</span> : null}
      </RadixMenu.Item>
    );
  });

/** Not modal: the modal form locks scrolling by a script-made style sheet, which the page's policy refuses. */
export function Menu({ trigger, items, align = "start" }: MenuProps) {
  return (
    <RadixMenu.Root modal={false}>
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content className="menu" align={align} sideOffset={5} collisionPadding={8}>
          {entries(items)}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
}
