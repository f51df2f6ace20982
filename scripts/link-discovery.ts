import type { Plugin } from 'vite';

const FILE = '/@remix-run/react/dist/esm/fog-of-war.js';
const BEGIN = '    // Register and fetch patches for all initially-rendered links/forms';
const END = '    return () => observer.disconnect();';

/** Requests the route of a link or form when the user points at it, touches it or focuses it. */
const ON_INTENT = `
    function discover({ target }) {
      const el = target.closest?.("a[data-discover], form[data-discover]");
      if (!el) return;
      registerElement(el);
      void fetchPatches();
    }
    const intents = ["pointerover", "touchstart", "focusin"];
    for (const intent of intents) document.addEventListener(intent, discover, { passive: true });
    return () => {
      for (const intent of intents) document.removeEventListener(intent, discover);
    };
`;

/**
 * Makes Remix discover a link's route when the user is about to follow it, instead of requesting the routes of all
 * links as soon as the page is shown, so that an untouched page makes no requests after loading. A release of Remix
 * that implements this differently stops the build.
 */
export function linkDiscovery(): Plugin {
  let isBrowser = false;
  let replaced = 0;
  return {
    name: 'vialbook-link-discovery',
    enforce: 'pre',
    apply: 'build',
    configResolved(config) {
      isBrowser = !config.build.ssr;
    },
    transform(code, id) {
      if (!isBrowser || !id.split('?', 1)[0]?.endsWith(FILE)) return null;
      const [begin, end] = [code.indexOf(BEGIN), code.indexOf(END)];
      if (begin < 0 || end < begin) return null;
      replaced += 1;
      return { code: code.slice(0, begin) + ON_INTENT + code.slice(end + END.length), map: null };
    },
    buildEnd(error) {
      if (isBrowser && !error && replaced === 0)
        this.error('Remix no longer discovers routes of links in the expected way');
    },
  };
}
