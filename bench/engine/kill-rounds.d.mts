/** What the rounds came to: how many writes were acknowledged, and a sentence for each that was lost. */
export interface KillOutcome {
  acknowledged: number;
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
