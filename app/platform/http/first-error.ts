import type { SubmissionResult } from '@conform-to/react';

/** The first message of a refused form that has no fields to show it at. */
export function firstError(result: SubmissionResult<string[]> | null | undefined): string | undefined {
  return Object.values(result?.error ?? {})
    .flatMap((messages) => messages ?? [])
    .at(0);
}
