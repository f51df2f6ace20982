import js from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import vialbook from './scripts/lint-rules.mjs';

const NO_SLEEP = 'A test waits for a state (expect.poll, an event), never for some time.';

export default tseslint.config(
  { ignores: ['build/**', 'node_modules/**', 'public/**', 'coverage/**', 'data/**', 'tmp/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { vialbook },
    rules: {
      'vialbook/no-loop-over-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      // An import of types alone must vanish: an inline one keeps the module, and with it its code, in a browser bundle.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/only-throw-error': 'off',
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['app/**/*.tsx'],
    ...jsxA11y.flatConfigs.recommended,
    plugins: { 'jsx-a11y': jsxA11y, 'react-hooks': reactHooks },
    rules: {
      ...jsxA11y.flatConfigs.recommended.rules,
      ...reactHooks.configs.recommended.rules,
      'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['app/**/*.{ts,tsx}', 'models/**/*.ts', 'cli/**/*.ts'],
    ignores: ['cli/main.ts', 'app/server/web.server.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'exit',
          message: 'Only entries (cli/main.ts, app/server/web.server.ts) may end the process.',
        },
      ],
    },
  },
  {
    files: ['app/domain/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', 'process', 'window', 'document', 'fetch'],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'The clock is passed in.',
        },
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: 'The clock is passed in.',
        },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: 'Randomness is passed in.',
        },
      ],
    },
  },
  {
    files: ['tests/**/*.{ts,tsx}', 'bench/**/*.{ts,mjs}', 'scripts/**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
      },
    },
    rules: { 'max-lines-per-function': 'off', 'no-console': 'off' },
  },
  {
    files: ['tests/**/*.{ts,tsx,mjs}'],
    // What runs before the tests has no vitest to wait with.
    ignores: ['tests/support/*.setup.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "NewExpression[callee.name='Promise'] > :function > CallExpression.body[callee.name='setTimeout']",
          message: NO_SLEEP,
        },
        {
          selector:
            "NewExpression[callee.name='Promise'] > :function > BlockStatement > ExpressionStatement > CallExpression[callee.name='setTimeout'][arguments.0.type='Identifier']",
          message: NO_SLEEP,
        },
        { selector: "CallExpression[callee.property.name='waitForTimeout']", message: NO_SLEEP },
        {
          selector: "CallExpression[callee.object.name='Atomics'][callee.property.name='wait']",
          message: NO_SLEEP,
        },
        {
          selector:
            'ImportDeclaration[source.value=/^(node:)?timers.promises$/] > ImportSpecifier[imported.name=/^(setTimeout|scheduler)$/]',
          message: NO_SLEEP,
        },
      ],
    },
  },
  { files: ['**/*.cjs'], languageOptions: { globals: { module: 'writable', require: 'readonly' } } },
);
