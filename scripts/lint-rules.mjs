// Lint rules that oxlint does not have.
import { documentedInterfaces } from './documented-interfaces.mjs';

/** Whether a name is used as a promise: awaited, with a handler, or expected to settle. */
function isUsedAsPromise(name) {
  const { parent } = name;
  if (parent.type === 'AwaitExpression') return true;
  if (parent.type === 'MemberExpression' && parent.object === name)
    return ['then', 'catch', 'finally'].includes(parent.property.name);
  const isExpected = parent.type === 'CallExpression' && parent.callee.name === 'expect';
  return (
    isExpected &&
    parent.arguments[0] === name &&
    ['rejects', 'resolves'].includes(parent.parent.property?.name)
  );
}

/** Whether an array literal contains calls that run before the loop begins. Awaited calls have ended by then. */
function holdsRunningCalls(list) {
  if (list.type === 'TSAsExpression' || list.type === 'TSSatisfiesExpression')
    return holdsRunningCalls(list.expression);
  if (list.type !== 'ArrayExpression') return false;
  return list.elements.filter((one) => one?.type === 'CallExpression').length > 1;
}

/** Whether a name is passed to a call that is awaited inside the loop. */
function isAwaitedInACall(name, loop) {
  if (name.parent.type !== 'CallExpression' || !name.parent.arguments.includes(name)) return false;
  let node = name.parent;
  while (node !== loop && node.type !== 'AwaitExpression' && !/Function/.test(node.type)) node = node.parent;
  return node.type === 'AwaitExpression';
}

/**
 * Forbids loops over promises that are already running. While the loop waits for one of them, nothing handles the others, and
 * a rejection in the meantime ends the process or the test run. The rule recognises such loops by their variable:
 * it is awaited itself, or passed to an awaited call while the loop's list is an array literal of
 * calls. A call that returns no promise looks the same; assign such a list to a variable before the loop.
 *
 * @type {import('oxlint/plugins-dev').Rule}
 */
const noLoopOverPromises = {
  meta: {
    type: 'problem',
    docs: { description: 'forbid loops over promises that are already running' },
    messages: {
      running:
        'These calls are already running while the loop waits for the first. Loop over functions, or use Promise.all.',
    },
    schema: [],
  },
  create(context) {
    return {
      ForOfStatement(loop) {
        if (loop.await || loop.left.type !== 'VariableDeclaration') return;
        const variables = context.sourceCode.getDeclaredVariables(loop.left);
        const reads = variables.flatMap(({ references }) => references.filter((one) => one.isRead()));
        const isPromise = holdsRunningCalls(loop.right)
          ? (name) => isUsedAsPromise(name) || isAwaitedInACall(name, loop)
          : isUsedAsPromise;
        if (reads.some(({ identifier }) => isPromise(identifier)))
          context.report({ node: loop.right, messageId: 'running' });
      },
    };
  },
};

/**
 * Forbids what matches a selector of the syntax tree, like ESLint's rule of that name.
 *
 * @type {import('oxlint/plugins-dev').Rule}
 */
const noRestrictedSyntax = {
  meta: {
    type: 'suggestion',
    docs: { description: 'forbid given syntax' },
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { selector: { type: 'string' }, message: { type: 'string' } },
        required: ['selector', 'message'],
        additionalProperties: false,
      },
    },
  },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
};

export default {
  meta: { name: 'vialbook' },
  rules: {
    'documented-interfaces': documentedInterfaces,
    'no-loop-over-promises': noLoopOverPromises,
    'no-restricted-syntax': noRestrictedSyntax,
  },
};
