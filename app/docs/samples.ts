/** A call of an operation as a reader would first send it. */
export interface SampleCall {
  method: string;
  url: string;
  /** Whether a token goes with it, which the reader has in `TOKEN`. */
  token: boolean;
  /** Sent as JSON. */
  body?: unknown;
  /** Name of the form's field that takes the file. */
  upload?: string;
  /** Whether the response is a file. */
  file?: boolean;
}

export const LANGUAGES = ["curl", "TypeScript", "PHP"] as const;

/** The same call for every language, in the order of {@link LANGUAGES}. */
export function samplesOf(call: SampleCall): string[] {
  return [curl(call), typescript(call), php(call)];
}

const FILE = "picture.jpg";
const print = (value: unknown) => JSON.stringify(value, null, 2);
const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

function curl({ method, url, token, body, upload }: SampleCall): string {
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${url}`,
    token && '-H "Authorization: Bearer $TOKEN"',
    upload && `-F ${upload}=@${FILE}`,
    body !== undefined && '-H "Content-Type: application/json"',
    body !== undefined && `-d '${indented(print(body), "  ").replaceAll("'", "'\\''")}'`,
  ]
    .filter(Boolean)
    .join(" \\\n  ");
}

function typescript({ method, url, token, body, upload, file }: SampleCall): string {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the reader's program
    token && "Authorization: `Bearer ${process.env.TOKEN}`",
    body !== undefined && '"Content-Type": "application/json"',
  ].filter(Boolean);
  const options = [
    method !== "GET" && `  method: "${method}",`,
    headers.length > 0 && `  headers: { ${headers.join(", ")} },`,
    body !== undefined && `  body: JSON.stringify(${indented(literal(body), "  ")}),`,
    upload && "  body: form,",
  ].filter(Boolean);
  const before = upload && [
    'import { openAsBlob } from "node:fs";',
    "",
    "const form = new FormData();",
    `form.append("${upload}", await openAsBlob("${FILE}"), "${FILE}");`,
  ];
  return [
    ...(before || []),
    options.length > 0
      ? `const response = await fetch("${url}", {\n${options.join("\n")}\n});`
      : `const response = await fetch("${url}");`,
    "if (!response.ok) throw new Error(await response.text());",
    `const ${file ? "file" : "result"} = await response.${file ? "blob" : "json"}();`,
  ].join("\n");
}

/** JSON as a literal of JavaScript: names without quotes where they need none. */
function literal(value: unknown): string {
  return print(value).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

function php({ method, url, token, body, upload, file }: SampleCall): string {
  const headers = [
    token && "'Authorization: Bearer ' . getenv('TOKEN')",
    body !== undefined && "'Content-Type: application/json'",
  ].filter(Boolean);
  return [
    `$curl = curl_init(${quoted(url)});`,
    "curl_setopt_array($curl, [",
    "    CURLOPT_RETURNTRANSFER => true,",
    method !== "GET" && `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    headers.length > 0 && `    CURLOPT_HTTPHEADER => [${headers.join(", ")}],`,
    body !== undefined && `    CURLOPT_POSTFIELDS => json_encode(${array(body, "    ", true)}),`,
    upload && `    CURLOPT_POSTFIELDS => ['${upload}' => new CURLFile('${FILE}')],`,
    "]);",
    file ? "$file = curl_exec($curl);" : "$result = json_decode(curl_exec($curl), true);",
    "$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);",
  ]
    .filter(Boolean)
    .join("\n");
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;

/** A value as PHP writes it; the outermost must be an object, even if it has no fields. */
function array(value: unknown, by: string, outermost = false): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return String(value);
  const inner = `${by}    `;
  const rows = Array.isArray(value)
    ? value.map((each) => `${inner}${array(each, inner)},`)
    : Object.entries(value).map(([name, each]) => `${inner}${quoted(name)} => ${array(each, inner)},`);
  if (rows.length > 0) return `[\n${rows.join("\n")}\n${by}]`;
  return outermost || !Array.isArray(value) ? "new stdClass()" : "[]";
}
