/** How long to wait for the browser's report about an answer that could not be read. */
const REPORT_MS = 500;

/**
 * Watches which status the requests for one address are answered with. Remix does not say what it could not read, such as the
 * page of a proxy; the browser does, in its resource timing.
 */
export function watchStatus(path: string) {
  let status = 0;
  let tell = () => {};
  const look = (entries: PerformanceEntryList) => {
    for (const entry of entries) {
      if (!(entry instanceof PerformanceResourceTiming) || entry.initiatorType !== 'fetch') continue;
      if (!new URL(entry.name).pathname.startsWith(path) || !(entry.responseStatus >= 400)) continue;
      status = entry.responseStatus;
      tell();
    }
  };
  const observer = new PerformanceObserver((list) => look(list.getEntries()));
  observer.observe({ type: 'resource' });
  return {
    end: () => observer.disconnect(),
    /** The status of the last refusal; 0 if the browser reports none. */
    async ofRefusal(): Promise<number> {
      look(observer.takeRecords());
      if (status === 0)
        await new Promise<void>((resolve) => {
          tell = resolve;
          setTimeout(resolve, REPORT_MS);
        });
      return status;
    },
  };
}
