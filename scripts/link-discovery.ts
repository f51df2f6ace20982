import type { Plugin } from 'vite';

const FILE = '/@remix-run/react/dist/esm/fog-of-war.js';
const BEGIN = '    // Register and fetch patches for all initially-rendered links/forms';
const END = '    return () => observer.disconnect();';

/** Asks for the route behind a link or form when somebody points at it, touches it or comes to it with the keyboard. */
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
 * Lets Remix look for the routes behind a page's links when somebody is about to follow one, instead of asking for all of
 * them as soon as the page is shown: a page that nobody touches makes no request after it was loaded. A release of Remix
 * that does this elsewhere stops the build.
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
        this.error('Remix no longer looks for the routes behind links as it did');
    },
  };
}
