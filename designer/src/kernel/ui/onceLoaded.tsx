import { useEffect, useState, type ComponentType } from "react";

/**
 * A component whose code is loaded when it is first shown; until then it is nothing. A load that fails is the fault of who
 * shows it (see Boundary), and showing it again loads again.
 *
 * Not React's `lazy`: what that brings is drawn in pieces, between which anything else that changes makes it begin anew.
 * Beside a clock or figures that move, a large drawing was never done.
 */
export function onceLoaded<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function OnceLoaded(props: Props) {
    const [Shown, setShown] = useState(() => loaded);
    const [fault, setFault] = useState<{ error: unknown }>();
    useEffect(() => {
      if (Shown) return;
      load().then(
        (component) => {
          loaded = component;
          setShown(() => component);
        },
        (error: unknown) => setFault({ error }),
      );
    }, [Shown]);
    if (fault) throw fault.error;
    return Shown ? <Shown {...props} /> : null;
  };
}
