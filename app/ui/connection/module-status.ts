/** Whether the code of a page is on its way; what the loading bar says. */
let pending = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  pending += by;
  for (const listener of listeners) listener();
}

/** Counts a piece of code as on its way until the returned function is called. */
export function moduleOnItsWay(): () => void {
  change(1);
  return () => change(-1);
}

export const isModuleOnItsWay = (): boolean => pending > 0;

export function watchModules(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
