/** Leaves out of the picture `above` what would be over an element of the page; in pixels of the page. */
export function uncover(context: CanvasRenderingContext2D, above: Element, element: Element | null): void {
  if (!element) return;
  const { left, top } = above.getBoundingClientRect();
  const { x, y, width, height } = element.getBoundingClientRect();
  context.clearRect(x - left, y - top, width, height);
}
