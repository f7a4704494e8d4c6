import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

export interface S3Bucket {
  name: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  files: Map<string, { bytes: Buffer; changedAt: Date }>;
  uploads: Map<string, { key: string; startedAt: Date; parts: Map<number, Buffer> }>;
}

const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PAGE_SIZE = 1000;

interface S3Call {
  method: string;
  key: string;
  query: URLSearchParams;
  body: Buffer;
  range?: string;
}

export interface S3Response {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const computeEtag = (bytes: Buffer) => `"${createHash("md5").update(bytes).digest("hex")}"`;

const xmlResponse = (status: number, content: string): S3Response => ({
  status,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${content}`,
});
const errorResponse = (status: number, code: string) =>
  xmlResponse(status, `<Error><Code>${code}</Code></Error>`);
const resultResponse = (name: string, content: string) =>
  xmlResponse(200, `<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`);

export async function serveS3(req: IncomingMessage, bucket: S3Bucket): Promise<S3Response> {
  const body = await buffer(req);
  const url = new URL(req.url!, "http://bucket");
  if (!hasValidSignature(req, url, bucket)) return errorResponse(403, "SignatureDoesNotMatch");
  const [, name, key = ""] = /^\/([^/]+)(?:\/(.*))?$/s.exec(decodeURIComponent(url.pathname)) ?? [];
  if (name !== bucket.name) return errorResponse(404, "NoSuchBucket");
  const call = { method: req.method!, key, query: url.searchParams, body, range: req.headers.range };
  const response =
    key === "" ? handleList(call, bucket) : (handleMultipart(call, bucket) ?? handleFile(call, bucket));
  return response ?? errorResponse(405, "MethodNotAllowed");
}

export function sendS3Response(res: ServerResponse, { status, headers, body = "" }: S3Response): void {
  res.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers });
  res.end(res.req.method === "HEAD" ? undefined : body);
}

/** Checks AWS Signature Version 4, valid for 15 minutes. */
function hasValidSignature(req: IncomingMessage, url: URL, bucket: S3Bucket): boolean {
  const [, accessKeyId, day, region, headerNames, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      req.headers.authorization ?? "",
    ) ?? [];
  if (!headerNames) return false;
  const amzDate = String(req.headers["x-amz-date"]);
  const sentAt = Date.parse(
    amzDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (
    accessKeyId !== bucket.accessKeyId ||
    region !== bucket.region ||
    !(Math.abs(Date.now() - sentAt) < 900_000)
  )
    return false;
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join("&");
  const headers = headerNames.split(";").map((name) => `${name}:${String(req.headers[name]).trim()}\n`);
  const canonicalRequest = [
    req.method,
    url.pathname,
    query,
    headers.join(""),
    headerNames,
    req.headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const stringToSign = ["AWS4-HMAC-SHA256", amzDate, scope, sha256(canonicalRequest)].join("\n");
  const signingKey = ["s3", "aws4_request"].reduce(
    hmac as (key: Buffer, text: string) => Buffer,
    hmac(hmac(`AWS4${bucket.secretAccessKey}`, day!), region!),
  );
  return timingSafeEqual(hmac(signingKey, stringToSign), Buffer.from(signature!, "hex"));
}

function handleFile({ method, key, body, range }: S3Call, { files }: S3Bucket): S3Response | undefined {
  if (method === "PUT") {
    files.set(key, { bytes: body, changedAt: new Date() });
    return { status: 200, headers: { etag: computeEtag(body) } };
  }
  if (method === "DELETE") {
    files.delete(key);
    return { status: 204 };
  }
  if (method !== "GET" && method !== "HEAD") return undefined;
  const file = files.get(key);
  if (!file) return errorResponse(404, "NoSuchKey");
  const headers = { etag: computeEtag(file.bytes), "last-modified": file.changedAt.toUTCString() };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  if (from === undefined) return { status: 200, headers, body: file.bytes };
  const [start, end] = [Number(from), Math.min(to ? Number(to) : Infinity, file.bytes.length - 1)];
  if (start > end) return errorResponse(416, "InvalidRange");
  const rangeHeader = { "content-range": `bytes ${start}-${end}/${file.bytes.length}` };
  return { status: 206, headers: { ...headers, ...rangeHeader }, body: file.bytes.subarray(start, end + 1) };
}

function handleMultipart(
  { method, key, query, body }: S3Call,
  { files, uploads }: S3Bucket,
): S3Response | undefined {
  if (method === "POST" && query.has("uploads")) {
    const id = randomUUID();
    uploads.set(id, { key, startedAt: new Date(), parts: new Map() });
    return resultResponse(
      "InitiateMultipartUploadResult",
      `<Key>${escapeXml(key)}</Key><UploadId>${id}</UploadId>`,
    );
  }
  const id = query.get("uploadId");
  if (id === null) return undefined;
  const upload = uploads.get(id);
  if (upload?.key !== key) return errorResponse(404, "NoSuchUpload");
  if (method === "DELETE") {
    uploads.delete(id);
    return { status: 204 };
  }
  if (method === "PUT") {
    upload.parts.set(Number(query.get("partNumber")), body);
    return { status: 200, headers: { etag: computeEtag(body) } };
  }
  if (method !== "POST") return undefined;
  const listedParts = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
  const matchedParts = listedParts.map(([, partNumber, etag]) => {
    const part = upload.parts.get(Number(partNumber));
    return part && computeEtag(part) === `"${etag!.replaceAll(/"|&quot;/g, "")}"` ? part : undefined;
  });
  if (matchedParts.length === 0 || matchedParts.includes(undefined)) return errorResponse(400, "InvalidPart");
  const chunks = matchedParts as Buffer[];
  if (chunks.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES))
    return errorResponse(400, "EntityTooSmall");
  const bytes = Buffer.concat(chunks);
  files.set(key, { bytes, changedAt: new Date() });
  uploads.delete(id);
  return resultResponse(
    "CompleteMultipartUploadResult",
    `<Key>${escapeXml(key)}</Key><ETag>${escapeXml(computeEtag(bytes))}</ETag>`,
  );
}

function handleList({ method, query }: S3Call, { name, files, uploads }: S3Bucket): S3Response | undefined {
  if (method !== "GET") return undefined;
  if (query.has("uploads")) {
    const rows = [...uploads].map(
      ([id, { key, startedAt }]) =>
        `<Upload><Key>${escapeXml(key)}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
    );
    return resultResponse("ListMultipartUploadsResult", rows.join(""));
  }
  if (query.get("list-type") !== "2") return errorResponse(400, "InvalidArgument");
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter");
  const afterKey = Buffer.from(query.get("continuation-token") ?? "", "base64url").toString();
  const maxKeys = Math.min(Number(query.get("max-keys") ?? MAX_PAGE_SIZE), MAX_PAGE_SIZE);
  const rows = new Map<string, string>();
  for (const [key, { bytes, changedAt }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
    const commonPrefix = key.slice(0, end + 1);
    if (end >= 0)
      rows.set(commonPrefix, `<CommonPrefixes><Prefix>${escapeXml(commonPrefix)}</Prefix></CommonPrefixes>`);
    else
      rows.set(
        key,
        `<Contents><Key>${escapeXml(key)}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`,
      );
  }
  const remaining = [...rows].filter(([key]) => key > afterKey);
  const page = remaining.slice(0, maxKeys);
  const token = Buffer.from(page.at(-1)?.[0] ?? "").toString("base64url");
  const isTruncated = remaining.length > page.length;
  return resultResponse(
    "ListBucketResult",
    `<Name>${name}</Name><Prefix>${escapeXml(prefix)}</Prefix><IsTruncated>${isTruncated}</IsTruncated>${
      isTruncated ? `<NextContinuationToken>${token}</NextContinuationToken>` : ""
    }${page.map(([, row]) => row).join("")}`,
  );
}
