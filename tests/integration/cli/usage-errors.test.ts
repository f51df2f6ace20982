import { describe, expect, it } from 'vitest';
import { runCli } from '#tests/support/cli.ts';

describe('an invalid command line', () => {
  it.each([
    [['calc', '--nonsense', '--json'], /^unknown option '--nonsense'/],
    [['calc', '--json', '--amount'], /^option '--amount <mg>' argument missing$/],
    [['export', '--json'], /^required option '--user <email>' not specified$/],
    [['admin', 'suspend', '--json'], /^missing required argument 'email'$/],
    [['nonsense', '--json'], /^unknown command 'nonsense'$/],
    [['admin', 'nonsense', '--json'], /^unknown command 'nonsense'$/],
    [['db', '--json'], /^Name a command: serve, /],
    [['--json'], /^Name a command: calc, /],
  ])('is reported as JSON with --json: %j', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({
      success: false,
      error: 'INVALID_INPUT',
      message: expect.stringMatching(message) as string,
    });
  });

  it('is reported as text with a hint to the help otherwise', async () => {
    const { code, stderr } = await runCli(['calc', '--nonsense']);
    expect([code, stderr]).toEqual([
      2,
      "vialbook: unknown option '--nonsense'\n(use --help to see what is accepted)\n",
    ]);
  });

  it('that lacks a command shows the commands', async () => {
    const { code, stdout, stderr } = await runCli(['db']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: vialbook db');
  });

  it('does not affect help and version', async () => {
    expect(await runCli(['calc', '--help', '--json'])).toMatchObject({ code: 0, stderr: '' });
    expect(await runCli(['--version'])).toMatchObject({ code: 0, stderr: '' });
  });
});
