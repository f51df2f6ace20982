import { contextOfProgram } from '#app/features/accounts/index.server.ts';
import { propose } from '#app/features/proposals/index.server.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { createLog, setCurrentLog } from '#app/platform/log/log.server.ts';
import type { McpParts } from '#app/platform/mcp/mcp-server.server.ts';
import { onStopSignal } from '#app/platform/stop-signal.server.ts';
import { Option } from 'commander';
import { action, examples, type Session, withCommonOptions } from '../command.ts';
import { withContext } from '../context.ts';
import type { Io } from '../io.ts';
import { EXIT } from '../output.ts';

interface McpOptions {
  user: string;
  readOnly?: boolean;
  toolsets?: string;
  json?: boolean;
}

/** Serves one account on the command's streams until the client closes them or the process is told to stop. */
async function serve(io: Io, ctx: Ctx, { user, readOnly = false, toolsets }: McpOptions): Promise<void> {
  const caller = () => contextOfProgram(ctx, user, readOnly ? 'read' : 'write');
  // Fails at once if the account does not exist or is suspended, rather than at the client's first request.
  await caller();
  const [{ OPERATIONS }, { serveMcpOn }] = await Promise.all([
    import('#app/server/operations.server.ts'),
    import('#app/platform/mcp/mcp-stdio.server.ts'),
  ]);
  const parts: McpParts = {
    operations: OPERATIONS,
    caller,
    propose: (ctxOfCall, operation, values) => propose(ctxOfCall, () => OPERATIONS, operation, values),
    appUrl: ctx.appUrl,
    isSelling: ctx.isSelling,
    toolsets,
    mayPropose: !readOnly,
  };
  const stop = new AbortController();
  onStopSignal(() => stop.abort());
  await serveMcpOn(io, parts, stop.signal);
}

async function run(io: Io, options: McpOptions): Promise<number> {
  // Standard output is reserved for the protocol.
  const log = createLog(parseSettings(io.env).LOG_LEVEL, 2);
  setCurrentLog(log);
  await withContext(io, (ctx) => serve(io, ctx, options), { log });
  return EXIT.done;
}

/** Adds `vialbook mcp`. */
export function register(session: Session): void {
  const command = session.program
    .command('mcp')
    .description(
      'Connect an assistant to an account through the Model Context Protocol, on standard input and output. It can read; a change it proposes waits at /dashboard/proposals until the account owner accepts it.',
    )
    .addOption(new Option('--user <email>', 'the account').env('VIALBOOK_USER').makeOptionMandatory())
    .option('--read-only', 'refuse proposals, too')
    .option(
      '--toolsets <names>',
      'tools to list, separated by commas: core (the default), all, or headings of the API such as vendors',
    )
    .addHelpText(
      'after',
      examples(
        'vialbook mcp --user ada@example.org',
        'DATA_DIR=/srv/vialbook vialbook mcp --user ada@example.org --read-only',
      ),
    );
  withCommonOptions(command, { json: false, quiet: false }).action(
    action<McpOptions>(
      session,
      (options) => run(session.io, options),
      (field) => (field === 'email' ? '--user' : `--${field}`),
    ),
  );
}
