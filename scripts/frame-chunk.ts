import path from 'node:path';
import type { Plugin } from 'vite';

const APP = path.resolve(import.meta.dirname, '../app');
/** Starts the application when loaded, which must happen after the page's own modules, so it stays a separate file. */
const ENTRY = path.join(APP, 'entry.client.tsx');
const STARTS = [path.join(APP, 'root.tsx'), ENTRY];

/** Small modules that the first pages and most others use. */
const PIECES = [
  'domain/calculator/calculation.ts',
  'domain/calculator/reference-notices.ts',
  'domain/units/meant-mcg.ts',
  'ui/badge.tsx',
  'ui/disclosure.tsx',
  'ui/error-summary.tsx',
  'ui/fields.tsx',
  'ui/forms/mcg-question.tsx',
  'ui/page-head.tsx',
  'ui/shell/keys-link.tsx',
  'ui/shell/public-shell.tsx',
  'ui/figure.tsx',
].map((name) => path.join(APP, name));

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** The given modules and everything that is loaded with them. */
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
 * Puts what all or nearly all pages load into two files, libraries and our own code, instead of twenty small
 * ones, because files of a few hundred bytes compress badly. What only some pages load stays separate.
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
          // The root only tells zod what not to try; the rest of it comes with the first form.
          if (id.includes('/node_modules/zod/')) return /\/core\/(core|util)\.js$/.test(id) ? 'frame' : 'zod';
          if (id === ENTRY || !frame.has(id)) return undefined;
          return id.includes('/node_modules/') ? 'library' : 'frame';
        },
      };
    },
    applyToEnvironment: ({ name }) => name === 'client',
  };
}
