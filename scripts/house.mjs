// `npm run house`: statistics on how the code is divided, for orientation. It never fails.
//   rooms with their files and lines · folders with over 30 files · files with one importer in their own folder · barrels
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PRODUCT = ['app', 'models', 'cli'];
const FACE = /^app\/features\/[a-z]+\/index(\.server)?\.tsx?$/;
const INDEX = /\/index(\.server)?\.tsx?$/;
const MANY = 30;
const SMALL = 80;

/** Every source file below a folder, as a path from the root. */
function sourcesIn(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')));
}

/** Our file that an import refers to; null for a package. */
function targetOf(file, specifier) {
  if (/^#(app|models|cli)\//.test(specifier)) return specifier.slice(1);
  if (!specifier.startsWith('.')) return null;
  return path.posix.join(path.posix.dirname(file), specifier);
}

const files = PRODUCT.flatMap(sourcesIn);
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const lines = new Map([...texts].map(([file, text]) => [file, text.split('\n').length - 1]));
const importers = new Map(files.map((file) => [file, new Set()]));
const barrels = [];
for (const [file, text] of texts) {
  for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles)
    importers.get(targetOf(file, fileName))?.add(file);
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const onlyPassesOn = statements.every((one) => ts.isExportDeclaration(one) && one.moduleSpecifier);
  if (statements.length > 0 && onlyPassesOn && !FACE.test(file)) barrels.push(file);
}

/** The room of a file: `app/features/doses`, `models/engine`, `cli`. */
function roomOf(file) {
  const [top, second, third] = file.split('/');
  if (top === 'cli') return 'cli';
  if (top === 'models') return path.posix.extname(second) === '' ? `models/${second}` : 'models';
  if (second === 'features' || second === 'platform' || second === 'domain') {
    return path.posix.extname(third) === '' ? `app/${second}/${third}` : `app/${second}`;
  }
  return second.includes('.') ? 'app' : `app/${second}`;
}

const sum = (list) => list.reduce((total, file) => total + lines.get(file), 0);
function median(list) {
  const sorted = list.map((file) => lines.get(file)).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
function grouped(keyOf) {
  const groups = new Map();
  for (const file of files) groups.set(keyOf(file), [...(groups.get(keyOf(file)) ?? []), file]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

console.log('Rooms: files, lines, median of a file');
for (const [room, inside] of grouped(roomOf)) {
  const figures = [inside.length, sum(inside), median(inside)].map((figure) => String(figure).padStart(7));
  console.log(`${figures.join('')}  ${room}`);
}
const product = files.filter((file) => !file.startsWith('models/engine/'));
console.log(
  `\nProduct without the engine: ${product.length} files, ${sum(product)} lines, median ${median(product)}`,
);

console.log(`\nFolders with over ${MANY} files`);
for (const [folder, inside] of grouped(path.posix.dirname))
  if (inside.length > MANY) console.log(`${String(inside.length).padStart(7)}  ${folder}`);

const alone = files.filter((file) => {
  const [only, ...more] = [...importers.get(file)].filter((from) => !INDEX.test(from));
  return (
    only &&
    more.length === 0 &&
    path.posix.dirname(only) === path.posix.dirname(file) &&
    lines.get(file) < SMALL
  );
});
console.log(`\nFiles under ${SMALL} lines with one importer, in its own folder: ${alone.length}`);
for (const file of alone.sort((a, b) => lines.get(b) - lines.get(a)))
  console.log(`${String(lines.get(file)).padStart(7)}  ${file}`);

console.log(`\nBarrels that are no face: ${barrels.length}`);
for (const file of barrels) console.log(`         ${file}`);
