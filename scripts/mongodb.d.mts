/** @returns the path of a MongoDB server. @throws Error when there is none and it cannot be downloaded */
export function mongod(): string;
