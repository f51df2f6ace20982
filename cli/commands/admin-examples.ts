import type { Command } from 'commander';
import { examples } from '../examples.ts';

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  create: [
    'vialbook admin create root@example.org',
    'VIALBOOK_PASSWORD="$(cat secret)" vialbook admin create ada@example.org --role admin --json',
  ],
  stats: ['vialbook admin stats', 'vialbook admin stats --json | jq .monthlyRevenue'],
  users: [
    'vialbook admin users --search example.org --subscription premium',
    'vialbook admin users --status past_due --limit 100 --json',
  ],
  audit: [
    'vialbook admin audit --subject ada@example.org',
    'vialbook admin audit --action user.suspend --actor cli:root --json',
  ],
  upgrade: ['vialbook admin upgrade ada@example.org --reason "beta tester" --yes'],
  downgrade: ['vialbook admin downgrade ada@example.org --reason "asked for it" --yes'],
  promote: ['vialbook admin promote ada@example.org --reason "new colleague" --yes'],
  demote: ['vialbook admin demote ada@example.org --reason "left the team" --yes'],
  suspend: ['vialbook admin suspend ada@example.org --reason chargeback --yes'],
  reinstate: ['vialbook admin reinstate ada@example.org --reason "settled" --yes'],
  health: ['vialbook admin health', 'vialbook admin health --json || echo "look after the server"'],
  backup: ['vialbook admin backup --out vialbook.backup', 'vialbook admin backup --out - > vialbook.backup'],
  restore: ['DATA_DIR=/srv/empty vialbook admin restore vialbook.backup --yes'],
  purge: ['vialbook admin purge --yes'],
};

/** Puts examples under the help of each command that stands under `vialbook admin`. */
export function addAdminExamples(admin: Command): void {
  for (const command of admin.commands) {
    const lines = EXAMPLES[command.name()];
    if (lines) command.addHelpText('after', examples(...lines));
  }
}
