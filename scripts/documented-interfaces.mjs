// A lint rule: dependencies are used through their documented interface only, and the language's own objects stay as they are.
// There is no list of exceptions. Tests and benches, which stand in for the world around the product, may replace parts of it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'node_modules');

/** Folders whose files are nobody's business, in packages that do not say which of their files are public. */
const INNER = /^(dist|lib|src|build|esm|cjs|es|umd|out|internals?)\//;
/** A package and a module inside it; other files, such as fonts, are content. */
const SUBPATH = /^((?:@[\w.-]+\/)?[a-z\d][\w.-]*)\/(.+)$/i;
const CONTENT = /\.(?!([cm]?[jt]sx?|json)$)[a-z\d]+$/i;
/** A path to a file inside a package. `node_modules/.bin` is what npm documents. */
const PATH_INTO = /(^|\/)node_modules\/(?!\.)[@\w][^/]*\/./;
const PRIVATE_NAME = /^_*__(remix|zod|react|vite)/i;
const PRIVATE_TEXT = /__(remix|zod_)[A-Za-z]/;
const GLOBAL_OBJECTS = ['window', 'globalThis', 'self', 'global'];
const GLOBALS = [
  'fetch',
  'Date',
  'Promise',
  'Request',
  'Response',
  'XMLHttpRequest',
  'setTimeout',
  'console',
];

const known = new Map();

/** The paths of a package that its `exports` name; null if it has none, or is not installed. */
function exportsOf(name) {
  if (!known.has(name)) {
    let paths = null;
    try {
      const { exports } = JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8'));
      if (exports && typeof exports === 'object') paths = Object.keys(exports);
    } catch {
      // Not installed: what its paths look like has to do.
    }
    known.set(name, paths);
  }
  return known.get(name);
}

/** Whether a specifier leads to a file that its package does not offer. */
function isInner(specifier) {
  const [, name, file] = SUBPATH.exec(specifier) ?? [];
  if (name === undefined || name === 'node_modules' || CONTENT.test(file)) return false;
  const offered = exportsOf(name);
  if (offered === null) return INNER.test(file);
  return !offered.some((one) => {
    const [start, end] = one.split('*');
    const wanted = `./${file}`;
    return end === undefined ? one === wanted : wanted.startsWith(start) && wanted.endsWith(end);
  });
}

const textOf = (node) => (node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null);
const isNamed = (node, name) =>
  node?.type === 'MemberExpression' && (node.property.name ?? node.property.value) === name;
const isResolve = ({ callee }) =>
  callee.name === 'require' || isNamed(callee, 'resolve') || callee.name === 'createRequire';
const isUnknownCast = (node) =>
  (node.type === 'TSAsExpression' || node.type === 'TSTypeAssertion') &&
  ['TSUnknownKeyword', 'TSAnyKeyword', 'TSNeverKeyword'].includes(node.typeAnnotation.type);

/** `X.prototype`, or something of it. */
function isPrototype(node) {
  for (let part = node; part?.type === 'MemberExpression'; part = part.object)
    if (isNamed(part, 'prototype')) return true;
  return false;
}

const isGlobal = (node) =>
  node.type === 'MemberExpression' &&
  GLOBAL_OBJECTS.includes(node.object.name) &&
  GLOBALS.includes(node.property.name ?? node.property.value);

const CHANGES = ['assign', 'defineProperty', 'defineProperties', 'setPrototypeOf'];

/** @type {import('oxlint/plugins-dev').Rule} */
export const documentedInterfaces = {
  meta: {
    type: 'problem',
    docs: { description: "forbid other people's insides" },
    messages: {
      inner: 'This file is not part of what its package offers.',
      path: 'This is a file inside a package. Import the package, or start its command from node_modules/.bin.',
      react: "React's symbols are its own.",
      name: 'This name belongs to the inside of a library.',
      prototype: 'Prototypes stay as they are.',
      global: 'Globals stay as they are.',
      cast: 'A cast through `unknown` hides what is not known about this value.',
      script: 'Scripts are loaded by Node, not compiled by hand.',
      channel: 'Diagnostics channels are for observing, and nothing here needs it.',
    },
    schema: [{ type: 'object', properties: { standsIn: { type: 'boolean' } }, additionalProperties: false }],
  },
  create(context) {
    const { standsIn = false } = context.options[0] ?? {};
    const report = (node, messageId) => context.report({ node, messageId });
    const ofProduct = (visitor) => (node) => {
      if (!standsIn) visitor(node);
    };

    function checkSource({ source }) {
      const specifier = textOf(source);
      if (specifier === null) return;
      if (isInner(specifier)) report(source, 'inner');
      if (/^(node:)?diagnostics_channel$/.test(specifier)) report(source, 'channel');
    }

    function checkText(node, text, isWhole) {
      if (PRIVATE_TEXT.test(text)) report(node, 'name');
      const leadsInside = PATH_INTO.test(text) || (!isWhole && /(^|\/)node_modules\/$/.test(text));
      if (!standsIn && leadsInside) report(node, 'path');
    }

    return {
      ImportDeclaration(node) {
        checkSource(node);
        const isScript = ({ imported }) => imported?.name === 'Script';
        if (/^(node:)?vm$/.test(node.source.value) && node.specifiers.some(isScript)) report(node, 'script');
      },
      ExportNamedDeclaration: checkSource,
      ExportAllDeclaration: checkSource,
      ImportExpression: checkSource,
      NewExpression(node) {
        if (isNamed(node.callee, 'Script') && node.callee.object.name === 'vm') report(node, 'script');
      },
      CallExpression(node) {
        const text = textOf(node.arguments[0]);
        const { callee, arguments: given } = node;
        const into = given.findIndex((one) => textOf(one) === 'node_modules');
        const next = into < 0 ? undefined : given[into + 1];
        if (!standsIn && next && !textOf(next)?.startsWith('.')) report(given[into], 'path');
        if (text !== null && isResolve(node) && isInner(text)) report(node, 'inner');
        if (text?.startsWith('react') && isNamed(callee, 'for') && callee.object.name === 'Symbol')
          report(node, 'react');
        const changes = CHANGES.some((name) => isNamed(callee, name)) && callee.object.name === 'Object';
        if (!standsIn && changes && isPrototype(node.arguments[0])) report(node, 'prototype');
      },
      AssignmentExpression: ofProduct(({ left }) => {
        if (isPrototype(left)) report(left, 'prototype');
        if (isGlobal(left)) report(left, 'global');
      }),
      TSAsExpression: ofProduct((node) => {
        if (isUnknownCast(node.expression)) report(node, 'cast');
      }),
      Identifier(node) {
        if (PRIVATE_NAME.test(node.name)) report(node, 'name');
      },
      Literal(node) {
        if (typeof node.value === 'string') checkText(node, node.value, true);
      },
      TemplateElement(node) {
        checkText(node, node.value.cooked ?? '', node.tail);
      },
    };
  },
};
