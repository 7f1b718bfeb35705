/** The name of the last field or value of a card, which has just been added, to be typed over. */
export const focusLastName = (card: HTMLElement | null): void =>
  void requestAnimationFrame(() => {
    const inputs = card?.querySelectorAll<HTMLInputElement>("td.field-name input");
    const last = inputs?.item(inputs.length - 1);
    last?.focus();
    last?.select();
  });
