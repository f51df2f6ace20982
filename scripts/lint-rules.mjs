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

/**
 * A loop over promises that all run already. While the loop waits for one of them, nobody listens to the others, and
 * one that is rejected in the meantime ends the process or the test run. It is known by what it does with its variable.
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
        if (reads.some(({ identifier }) => isUsedAsPromise(identifier)))
          context.report({ node: loop.right, messageId: 'running' });
      },
    };
  },
};

export default { rules: { 'no-loop-over-promises': noLoopOverPromises } };
