import { Schema, type Types } from 'mongoose';

/** Bytes of one piece of a file: what the GridFS specification takes by default. */
export const CHUNK_BYTES = 255 * 1024;

/**
 * A document of `<bucket>.files`, laid out as GridFS wants it, so that every tool that reads GridFS reads it. The owner
 * stands in the document and in its metadata: each query names them, in the chunks as well, which GridFS's own writer
 * would leave without an owner.
 */
export interface FileRow {
  _id: string;
  userId: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  filename: string;
  /** `of` is the id of what the file belongs to. */
  metadata: { userId: string; of: string; contentType: string };
}

/** A document of `<bucket>.chunks`. */
export interface ChunkRow {
  _id: string;
  userId: string;
  files_id: string;
  n: number;
  data: Buffer | Types.Buffer;
}

const text = { type: String, required: true };
const number = { type: Number, required: true };

/** The shape of the files of a bucket. */
export function fileSchemaOf(bucket: string): Schema<FileRow> {
  const schema = new Schema<FileRow>(
    {
      _id: text,
      userId: text,
      length: number,
      chunkSize: number,
      uploadDate: { type: Date, required: true },
      filename: text,
      metadata: {
        type: new Schema({ userId: text, of: text, contentType: text }, { _id: false }),
        required: true,
      },
    },
    { collection: `${bucket}.files` },
  );
  schema.index({ userId: 1, 'metadata.of': 1 });
  return schema;
}

/** The shape of their pieces. */
export function chunkSchemaOf(bucket: string): Schema<ChunkRow> {
  const schema = new Schema<ChunkRow>(
    { _id: text, userId: text, files_id: text, n: number, data: { type: Buffer, required: true } },
    { collection: `${bucket}.chunks` },
  );
  schema.index({ userId: 1, files_id: 1, n: 1 }, { unique: true });
  return schema;
}
