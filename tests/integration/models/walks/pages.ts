interface Asked {
  page: number;
  limit: number;
  cursor?: string | undefined;
}

/** Reads the first two pages of a list as a program does, the second one from the cursor. */
export async function pageThrough(
  read: (asked: Asked) => Promise<{ paging: { next: string | null } }>,
): Promise<void> {
  const { paging } = await read({ page: 1, limit: 1 });
  await read({ page: 1, limit: 1, cursor: paging.next ?? undefined });
}
