/** Path of a Chromium on this machine, or null. */
export function findChromium(): Promise<string | null>;
/** Path of a Chromium, installed if need be; throws when none can be had. */
export function ensureChromium(): Promise<string>;

/** The same for pages: the shell, which has no push and shows no notifications, where it can be had, else any. */
export function ensureShell(): Promise<string>;
