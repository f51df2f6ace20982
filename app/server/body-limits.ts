/** Largest body of a form or JSON call, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Addresses that take more, each with its limit in bytes. */
const LARGER: readonly { path: RegExp; bytes: number }[] = [
  // A picture or a paper has at most 5 MB; one that is a little larger still reaches the page that says so.
  { path: /^\/dashboard\/tracking\/side-effects\/[^/]+\/images(\.data)?$/, bytes: 8 * 1024 * 1024 },
  { path: /^\/dashboard\/vendors\/orders\/[^/]+\/papers(\.data)?$/, bytes: 8 * 1024 * 1024 },
  { path: /^\/api\/orders\/[^/]+\/papers$/, bytes: 8 * 1024 * 1024 },
  // A file to import has at most 32 MB.
  { path: /^\/dashboard\/import(\.data)?$/, bytes: 36 * 1024 * 1024 },
  { path: /^\/api\/import$/, bytes: 36 * 1024 * 1024 },
  { path: /^\/api\/side-effects\/[^/]+\/images$/, bytes: 8 * 1024 * 1024 },
];

/** How many bytes a request to a path may have. */
export function bodyLimit(path: string): number {
  return LARGER.find((entry) => entry.path.test(path))?.bytes ?? MAX_BODY_BYTES;
}
