import path from 'node:path';
import type { Plugin } from 'vite';

const APP = path.resolve(import.meta.dirname, '../app');
/** Starts the application when it is loaded, which has to be after the page's own modules: stays a file of its own. */
const ENTRY = path.join(APP, 'entry.client.tsx');
const STARTS = [path.join(APP, 'root.tsx'), ENTRY];

/** Small modules that the first pages show, and most other pages as well. */
const PIECES = [
  'domain/calculator/calculation.ts',
  'domain/calculator/reference-notices.ts',
  'ui/badge.tsx',
  'ui/disclosure.tsx',
  'ui/error-summary.tsx',
  'ui/fields.tsx',
  'ui/page-head.tsx',
  'ui/shell/keys-link.tsx',
  'ui/shell/public-shell.tsx',
  'ui/figure.tsx',
].map((name) => path.join(APP, name));

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Everything that is loaded with the modules given, themselves included. */
function loadedWith(starts: readonly string[], { getModuleInfo }: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const open = [...starts];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/**
 * Puts what every page loads, or nearly every one, into two files, the libraries and ours, instead of a score of small
 * ones: a file of a few hundred bytes compresses badly. What only some pages load stays divided as it was.
 */
export function frameChunk(): Plugin {
  let frame: Set<string> | null = null;
  return {
    name: 'vialbook-frame-chunk',
    apply: 'build',
    buildStart() {
      frame = null;
    },
    outputOptions(options) {
      return {
        ...options,
        manualChunks(id, graph) {
          frame ??= loadedWith(STARTS, graph);
          if (PIECES.includes(id)) return 'frame';
          if (id === ENTRY || !frame.has(id)) return undefined;
          return id.includes('/node_modules/') ? 'library' : 'frame';
        },
      };
    },
    applyToEnvironment: ({ name }) => name === 'client',
  };
}
