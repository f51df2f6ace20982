export function lawSeed(root: string, given?: string): number;
