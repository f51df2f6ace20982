/** The browser's offer to install this site. The event fires once, perhaps before our scripts have loaded. */
export interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let offer: InstallOffer | null = null;
const listeners = new Set<() => void>();

function set(next: InstallOffer | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

export const currentOffer = (): InstallOffer | null => offer;

export function watchOffer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** An offer can be used only once. */
export const dropOffer = (): void => set(null);

/** Keeps the offer for our own card. @returns stops watching */
export function keepInstallOffer(): () => void {
  const keep = (event: Event) => {
    event.preventDefault();
    set(event as InstallOffer);
  };
  window.addEventListener('beforeinstallprompt', keep);
  window.addEventListener('appinstalled', dropOffer);
  return () => {
    window.removeEventListener('beforeinstallprompt', keep);
    window.removeEventListener('appinstalled', dropOffer);
  };
}
