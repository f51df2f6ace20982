// Lint rules for what no published rule finds.

/** Whether a name stands where only a promise makes sense: awaited, listened to, or expected to settle. */
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

/** Whether a list is written out with calls in it that run before the loop begins. What is awaited there has ended by then. */
function holdsRunningCalls(list) {
  if (list.type === 'TSAsExpression' || list.type === 'TSSatisfiesExpression')
    return holdsRunningCalls(list.expression);
  if (list.type !== 'ArrayExpression') return false;
  return list.elements.filter((one) => one?.type === 'CallExpression').length > 1;
}

/** Whether a name is handed whole to a call that is awaited inside the loop. */
function isAwaitedInACall(name, loop) {
  if (name.parent.type !== 'CallExpression' || !name.parent.arguments.includes(name)) return false;
  let node = name.parent;
  while (node !== loop && node.type !== 'AwaitExpression' && !/Function/.test(node.type)) node = node.parent;
  return node.type === 'AwaitExpression';
}

/**
 * A loop over promises that all run already. While the loop waits for one of them, nobody listens to the others, and
 * one that is rejected in the meantime ends the process or the test run. It is known by what it does with its variable:
 * it waits for that itself, or hands it to a call it waits for while the list is written out in the loop and is one of
 * calls. A call that gives no promise looks alike there; a list of such values gets a name before the loop.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
const noLoopOverPromises = {
  meta: {
    type: 'problem',
    docs: { description: 'forbid loops over promises that run already' },
    messages: {
      running:
        'These calls run already while the loop waits for the first: loop over functions, or use Promise.all.',
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

export default { rules: { 'no-loop-over-promises': noLoopOverPromises } };
