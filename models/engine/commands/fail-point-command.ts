import { EngineError } from '../errors.ts';
import { looseCommand, type Command } from './command.ts';

/** The command that sets a fail point; unknown without `testCommands`. */
export const failPointCommand: Command = looseCommand(
  'configureFailPoint',
  { adminOnly: true },
  (context, body) => {
    if (!context.engine.failPoints)
      throw new EngineError('CommandNotFound', "no such command: 'configureFailPoint'");
    context.engine.failPoints.configure(body);
    return {};
  },
);
