/** Whether a path is one at which a report is read by whoever has its link: nothing keeps it, lists it or passes it on. */
export const isSharedAddress = (path: string): boolean => path.startsWith('/share/');
