// `node scripts/flows.mjs`: the files that five flows of the product pass through, traced statically from their entry points, in the
// order of the first visit. Error paths are included, so each list is an upper bound; files loaded on demand by `import()`
// are not. For orientation; it never fails.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const [named] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const root = named ?? path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Every file's top-level definitions by name, and the meaning of its names: an import or its own definition. */
const files = new Map();
function read(file) {
  if (files.has(file)) return files.get(file);
  const full = path.join(root, file);
  const facts = { definitions: new Map(), imports: new Map(), passedOn: new Map(), lines: 0, source: null };
  files.set(file, facts);
  if (!existsSync(full)) return facts;
  const text = readFileSync(full, 'utf8');
  facts.lines = text.split('\n').length - 1;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  facts.source = source;
  const targetOf = ({ moduleSpecifier }) => {
    const { text: to } = moduleSpecifier;
    if (/^#(app|models|cli)\//.test(to)) return to.slice(1);
    return to.startsWith('.') ? path.posix.join(path.posix.dirname(file), to) : null;
  };
  for (const one of source.statements) {
    if (ts.isImportDeclaration(one)) {
      const bindings = one.importClause?.namedBindings;
      const to = targetOf(one);
      if (to === null || one.importClause?.isTypeOnly || !bindings || !ts.isNamedImports(bindings)) continue;
      for (const { name, propertyName, isTypeOnly } of bindings.elements)
        if (!isTypeOnly) facts.imports.set(name.text, [to, (propertyName ?? name).text]);
    } else if (ts.isExportDeclaration(one) && one.moduleSpecifier && one.exportClause) {
      for (const { name, propertyName } of one.exportClause.elements)
        facts.passedOn.set(name.text, [targetOf(one), (propertyName ?? name).text]);
    } else if (ts.isVariableStatement(one)) {
      for (const { name } of one.declarationList.declarations) {
        if (ts.isIdentifier(name)) facts.definitions.set(name.text, one);
      }
    } else if ((ts.isFunctionDeclaration(one) || ts.isClassDeclaration(one)) && one.name) {
      facts.definitions.set(one.name.text, one);
    }
  }
  return facts;
}

/** Where a file's name is defined, following re-exports. */
function home(file, name) {
  const { definitions, imports, passedOn } = read(file);
  if (definitions.has(name)) return [file, name];
  const next = passedOn.get(name) ?? imports.get(name);
  return next && next[0] !== null ? home(...next) : null;
}

/** The model files with a repository's method, found by the method's name and the aggregate's factory. */
const REPOSITORIES = 'models/repositories.server.ts';
function factoriesOf(noun) {
  const found = [];
  const { source, imports } = read(REPOSITORIES);
  const look = (node) => {
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === noun) {
      const names = (inner) => {
        if (ts.isIdentifier(inner) && imports.has(inner.text)) found.push(home(REPOSITORIES, inner.text));
        ts.forEachChild(inner, names);
      };
      names(node.initializer);
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return found.filter((one) => one !== null);
}

/** The definition of a repository's method, in its factory or in one that the factory spreads. */
function methodOf([file, factory], method, seen = new Set()) {
  const key = `${file}#${factory}`;
  if (seen.has(key)) return null;
  seen.add(key);
  const { definitions, source } = read(file);
  const definition = definitions.get(factory);
  let found = null;
  const spread = [];
  const look = (node) => {
    if (
      (ts.isMethodDeclaration(node) || ts.isPropertyAssignment(node)) &&
      node.name.getText(source) === method
    )
      found ??= node;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) spread.push(node.expression.text);
    ts.forEachChild(node, look);
  };
  if (definition) look(definition);
  if (found) return { file, label: `${factory}.${method}`, node: found };
  for (const name of spread) {
    const at = home(file, name);
    const deeper = at && methodOf(at, method, seen);
    if (deeper) return deeper;
  }
  return null;
}

function follow(starts) {
  const passed = new Map();
  const seen = new Set();
  const visit = (file, label, node) => {
    const key = `${file}#${label}`;
    if (seen.has(key) || node === undefined) return;
    seen.add(key);
    passed.set(file, [...(passed.get(file) ?? []), label]);
    const look = (inner) => {
      if (ts.isPropertyAccessExpression(inner)) {
        const [, noun, method] =
          /repos\(\w+\)\.(\w+)\.(\w+)$/.exec(inner.getText().replaceAll(/\s/g, '')) ?? [];
        if (noun)
          for (const factory of factoriesOf(noun)) {
            const hit = methodOf(factory, method);
            if (hit) visit(hit.file, hit.label, hit.node);
          }
      }
      if (ts.isIdentifier(inner)) {
        const isMember = ts.isPropertyAccessExpression(inner.parent) && inner.parent.name === inner;
        const at = isMember ? null : home(file, inner.text);
        if (
          at &&
          !(
            ts.isTypeReferenceNode(inner.parent) ||
            (ts.isPropertyAssignment(inner.parent) && inner.parent.name === inner)
          )
        )
          visit(at[0], at[1], read(at[0]).definitions.get(at[1]));
      }
      ts.forEachChild(inner, look);
    };
    look(node);
  };
  for (const [file, name] of starts) {
    const at = home(file, name);
    if (at === null) throw new Error(`no ${name} in ${file}`);
    visit(at[0], at[1], read(at[0]).definitions.get(at[1]));
  }
  return passed;
}

/** The file that currently defines a name. */
function find(name, folder = 'app') {
  const inside = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  const sources = inside.filter((one) => /\.tsx?$/.test(one)).map((one) => path.posix.join(folder, one));
  const file = sources.find((one) => read(one).definitions.has(name));
  if (file === undefined) throw new Error(`nothing defines ${name}`);
  return [file, name];
}

const FLOWS = {
  'save a calculation': () => [['app/routes/dashboard.calculator.tsx', 'action']],
  'log a planned dose': () => [['app/routes/dashboard.schedule.doses.$id.tsx', 'action']],
  'a webhook makes an account premium': () => [['app/routes/webhooks.stripe.ts', 'action']],
  'import a CSV file': () => [
    ['app/routes/dashboard.import._index.tsx', 'action'],
    ['app/routes/dashboard.import.$id.tsx', 'action'],
  ],
  'an administrator suspends': () => [
    ['app/routes/admin.dashboard.users.$id_.$change.tsx', 'action'],
    find('changeUser'),
  ],
};

for (const [name, starts] of Object.entries(FLOWS)) {
  const passed = follow(starts());
  const lines = [...passed.keys()].reduce((sum, file) => sum + read(file).lines, 0);
  console.log(`${name}: ${passed.size} files of ${lines} lines`);
  if (process.argv.includes('--files'))
    for (const [file, names] of passed) console.log(`  ${file} · ${names.join(' ')}`);
}
