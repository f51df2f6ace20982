/** What stands where a calculation was saved without a name. */
export const UNNAMED = 'Unnamed';

export function nameOf({ peptideName }: { peptideName: string | null }): string {
  return peptideName ?? UNNAMED;
}

/** The question before a saved calculation goes. */
export function deleteQuestion(row: { peptideName: string | null }): string {
  return `Delete calculation for ${nameOf(row)}?`;
}
