import { Schema, type Types, type Connection } from 'mongoose';
import { Buffer } from 'node:buffer';
import { modelOf } from './model-of.server.ts';

/** Bytes per chunk: the GridFS specification's default. */
const CHUNK_BYTES = 255 * 1024;

/**
 * A document of `<bucket>.files` in the GridFS layout, so that any GridFS tool can read it. The owner
 * is in the document and in its metadata: every query names the owner, including those for chunks, where the standard
 * GridFS writer would not store one.
 */
interface FileRow {
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
interface ChunkRow {
  _id: string;
  userId: string;
  files_id: string;
  n: number;
  data: Buffer | Types.Buffer;
}

const text = { type: String, required: true };
const number = { type: Number, required: true };

/** The schema of a bucket's files. */
function fileSchemaOf(bucket: string): Schema<FileRow> {
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

function chunkSchemaOf(bucket: string): Schema<ChunkRow> {
  const schema = new Schema<ChunkRow>(
    { _id: text, userId: text, files_id: text, n: number, data: { type: Buffer, required: true } },
    { collection: `${bucket}.chunks` },
  );
  schema.index({ userId: 1, files_id: 1, n: 1 }, { unique: true });
  return schema;
}

/** A file to store. */
export interface NewFile {
  id: string;
  /** Id of what it belongs to. */
  of: string;
  contentType: string;
  bytes: Buffer;
  at: Date;
}

function chunksOf(userId: string, id: string, bytes: Buffer): ChunkRow[] {
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, n) => ({
    _id: `${id}/${n}`,
    userId,
    files_id: id,
    n,
    data: bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES),
  }));
}

/**
 * Files in GridFS's layout. Every call names the owner.
 * @param bucket as in GridFS: `pictures` are in `pictures.files` and `pictures.chunks`
 */
export function createFileStore(connection: Connection, bucket: string) {
  const files = modelOf<FileRow>(connection, `${bucket}.files`, fileSchemaOf(bucket));
  const chunks = modelOf<ChunkRow>(connection, `${bucket}.chunks`, chunkSchemaOf(bucket));

  async function remove(userId: string, ids: string[]): Promise<number> {
    let bytes = 0;
    for (const id of ids) {
      const file = await files.findOneAndDelete({ userId, _id: id }).lean();
      await chunks.deleteMany({ userId, files_id: id });
      bytes += file?.length ?? 0;
    }
    return bytes;
  }

  return {
    /** Writes a file, chunks first, so that every existing file is complete. */
    async create(userId: string, { id, of, contentType, bytes, at }: NewFile): Promise<void> {
      for (const chunk of chunksOf(userId, id, bytes)) await chunks.create(chunk);
      await files.create({
        _id: id,
        userId,
        length: bytes.length,
        chunkSize: CHUNK_BYTES,
        uploadDate: at,
        filename: id,
        metadata: { userId, of, contentType },
      });
    },

    /** Reads a file; null when this owner has no such file. */
    async read(userId: string, of: string, id: string) {
      const file = await files.findOne({ userId, _id: id, 'metadata.of': of }).lean();
      if (file === null) return null;
      const pieces = await chunks.find({ userId, files_id: id }).sort({ n: 1 }).lean();
      const bytes = Buffer.concat(pieces.map(({ data }) => new Uint8Array(data.buffer)));
      return { contentType: file.metadata.contentType, bytes };
    },

    /** Deletes a file. @returns the number of bytes freed */
    delete: (userId: string, id: string): Promise<number> => remove(userId, [id]),

    /** Deletes all files of one record. @returns their number and bytes */
    async deleteOf(userId: string, of: string): Promise<{ count: number; bytes: number }> {
      const found = await files.find({ userId, 'metadata.of': of }, { _id: 1 }).lean();
      return {
        count: found.length,
        bytes: await remove(
          userId,
          found.map(({ _id }) => _id),
        ),
      };
    },

    /** The number and bytes of all files of an owner. */
    async usage(userId: string): Promise<{ count: number; bytes: number }> {
      const rows = await files.find({ userId }, { length: 1 }).lean();
      return { count: rows.length, bytes: rows.reduce((sum, { length }) => sum + length, 0) };
    },
  };
}

export type FileStore = ReturnType<typeof createFileStore>;
