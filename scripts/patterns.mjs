// Finds every regular expression of the sources and has `recheck` look for one that takes more than linear
// time, in which a long text would hold everybody up. Part of `npm run validate`; there is no list of exceptions.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import ts from 'typescript';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const FOLDERS = ['app', 'cli', 'models'];
/** Limits in characters read, not in time, so that a busy machine finds the same; only what never ends is stopped by the clock. */
const SETTINGS = { timeout: 600_000, attackTimeout: null, incubationTimeout: null };
const AT_ONCE = 2;

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(folder, name)),
);

/** The text of an expression that is the same in every run, with the constants of its file filled in; null for any other. */
function constantText(node, constants) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constants.get(node.text) ?? null;
  if (!ts.isTemplateExpression(node)) return null;
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const part = constantText(expression, constants);
    if (part === null) return null;
    text += part + literal.text;
  }
  return text;
}

const isRegExp = (node) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp';

/** The regular expressions of a file, with their places. */
function patternsOf(file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const constants = new Map();
  const patterns = [];
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const text = constantText(node.initializer, constants);
      if (text !== null) constants.set(node.name.text, text);
    }
    const at = () => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      patterns.push({ at: at(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isRegExp(node)) {
      const [first, second] = node.arguments ?? [];
      const text = first === undefined ? '' : constantText(first, constants);
      const flags = second === undefined ? '' : constantText(second, constants);
      // Built while the program runs: by the code beside it, which has tests of its own.
      if (text !== null && flags !== null) patterns.push({ at: at(), source: text, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return patterns;
}

/** Each pattern once, with all its places. */
function all() {
  const found = new Map();
  for (const { at, source, flags } of sources.flatMap(patternsOf)) {
    const pattern = `/${source}/${flags}`;
    const places = found.get(pattern)?.places ?? [];
    found.set(pattern, { pattern, source, flags, places: [...places, at] });
  }
  return [...found.values()];
}

async function problemOf({ source, flags }) {
  const { status, complexity, error } = await check(source, flags, SETTINGS);
  if (status === 'safe') return null;
  return status === 'vulnerable' ? complexity.summary : `unknown (${error.kind})`;
}

const waiting = all();
const count = waiting.length;
let unsafe = 0;
const worker = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const problem = await problemOf(next);
    if (problem === null) continue;
    unsafe += 1;
    console.log(`${next.places.join(', ')}: ${next.pattern} takes more than linear time: ${problem}`);
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, worker));
console.log(`${count} regular expressions, ${unsafe} unsafe`);
process.exit(unsafe === 0 ? 0 : 1);
