/**
 * Runs rounds of SIGKILL during transactions of four processes over one directory.
 * @returns how many transactions were acknowledged, and a sentence for each that was lost or stored by half
 */
export function transactionRounds(options: {
  dir: string;
  rounds: number;
  clients?: number;
  onRound?: (round: number, acknowledged: number) => void;
}): Promise<{ acknowledged: number; problems: string[] }>;
