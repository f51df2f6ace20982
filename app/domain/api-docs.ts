/** A parameter of a call. */
export interface DocumentedField {
  name: string;
  place: 'path' | 'query' | 'body' | 'file';
  /** In words: "whole number, 1 to 100". */
  type: string;
  isRequired: boolean;
  about: string;
}

/** One call of the API as its page shows it. */
export interface DocumentedCall {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** Who may make it, in words. */
  who: string;
  fields: DocumentedField[];
  /** Examples as text; null when there is none. */
  sends: string | null;
  gives: string | null;
  answers: { status: string; meaning: string }[];
}

/** A call in the contents of that page. */
export type CallLine = Pick<DocumentedCall, 'id' | 'method' | 'path' | 'summary'>;

/** The contents of the page that describes the API. */
export interface ApiContents {
  /** Where the calls are served. */
  server: string;
  /** Paragraphs; `code` between backticks. */
  intro: string[];
  /** How many calls are listed. */
  total: number;
  groups: { id: string; title: string; about: string; calls: CallLine[] }[];
}
