import { describe, expect, it } from 'vitest';
import { runCli } from '#tests/support/cli.ts';

describe('a command line that is not understood', () => {
  it.each([
    [['calc', '--nonsense', '--json'], /^unknown option '--nonsense'/],
    [['calc', '--json', '--amount'], /^option '--amount <mg>' argument missing$/],
    [['export', '--json'], /^required option '--user <email>' not specified$/],
    [['admin', 'suspend', '--json'], /^missing required argument 'email'$/],
    [['nonsense', '--json'], /^unknown command 'nonsense'$/],
    [['admin', 'nonsense', '--json'], /^unknown command 'nonsense'$/],
    [['db', '--json'], /^Name a command: serve, /],
    [['--json'], /^Name a command: calc, /],
  ])('is told as JSON when JSON is asked for: %j', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({
      success: false,
      error: 'INVALID_INPUT',
      message: expect.stringMatching(message) as string,
    });
  });

  it('is told in words with a pointer to the help otherwise', async () => {
    const { code, stderr } = await runCli(['calc', '--nonsense']);
    expect([code, stderr]).toEqual([
      2,
      "error: unknown option '--nonsense'\n(use --help to see what is accepted)\n",
    ]);
  });

  it('help and version stay what they are', async () => {
    expect(await runCli(['calc', '--help', '--json'])).toMatchObject({ code: 0, stderr: '' });
    expect(await runCli(['--version'])).toMatchObject({ code: 0, stderr: '' });
  });
});
