// Lint rules for what no published rule finds. They read types, so they apply to TypeScript files only.

/** Whether a value of this type can be awaited, or holds such a value in a list or tuple. Types may hold themselves. */
function holdsPromise(checker, type, depth = 5) {
  if (depth === 0) return false;
  if (type.isUnion()) return type.types.some((part) => holdsPromise(checker, part, depth - 1));
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return checker.getTypeArguments(type).some((part) => holdsPromise(checker, part, depth - 1));
  return type.getProperty('then') !== undefined;
}

/**
 * A loop over promises that all run already. While the loop waits for one of them, nobody listens to the others, and
 * one that is rejected in the meantime ends the process or the test run.
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
    const { program, getTypeAtLocation } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    return {
      ForOfStatement({ right }) {
        if (holdsPromise(checker, getTypeAtLocation(right)))
          context.report({ node: right, messageId: 'running' });
      },
    };
  },
};

export default { rules: { 'no-loop-over-promises': noLoopOverPromises } };
