/**
 * What the rounds came to: how many writes were acknowledged, how many kills hit a compaction, and a sentence for each
 * write that was lost.
 */
export interface KillOutcome {
  acknowledged: number;
  compactions: number;
  problems: string[];
}

/** Runs rounds of SIGKILL during mixed writes of two processes over one directory. */
export function killRounds(options: {
  url: string;
  dir: string;
  rounds: number;
  clients?: number;
  onRound?: (round: number, outcome: KillOutcome) => void;
}): Promise<KillOutcome>;
