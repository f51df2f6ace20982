// Only the service worker types used here: TypeScript's full `webworker` library conflicts with the `dom` library.

/** What showing pushes needs. */
export interface PushScope {
  readonly location: { readonly origin: string };
  readonly registration: {
    showNotification(title: string, options: NotificationOptions): Promise<void>;
  };
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  fetch(address: string, init: RequestInit): Promise<unknown>;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
}

/** What keeping and serving the offline page needs. */
export interface ShellScope {
  readonly location: { readonly origin: string };
  readonly clients: { claim(): Promise<void> };
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete'>;
  fetch(request: Request): Promise<Response>;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WaitingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** What sending in the background needs. */
export interface SyncScope {
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void;
}

/** An open page of this site. */
export interface WindowClient {
  readonly url: string;
  focus(): Promise<unknown>;
}

export interface WaitingEvent {
  waitUntil(work: Promise<unknown>): void;
}

/** A page's request that is about to go to the network. */
export interface RequestEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** The connection is back, and a sync was registered. */
export interface SyncEvent extends WaitingEvent {
  readonly tag: string;
}

export interface PushEvent extends WaitingEvent {
  readonly data: { json(): unknown } | null;
}

export interface ClickEvent extends WaitingEvent {
  readonly notification: { readonly data: unknown; close(): void };
}
