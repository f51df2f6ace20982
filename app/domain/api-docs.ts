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

/** The calls under one heading. */
export interface DocumentedGroup {
  id: string;
  title: string;
  calls: DocumentedCall[];
}

/** The page that describes the API. */
export interface ApiDocumentation {
  version: string;
  /** Where the calls are served. */
  server: string;
  /** Paragraphs; `code` between backticks. */
  intro: string[];
  groups: DocumentedGroup[];
}
