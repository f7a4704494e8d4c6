export interface SampleCall {
  method: string;
  url: string;
  /** Sends the token from the environment variable `TOKEN`. */
  token: boolean;
  /** Sent as JSON. */
  body?: unknown;
  upload?: string;
  file?: boolean;
}

export const LANGUAGES = ["curl", "TypeScript", "PHP"] as const;

/** Returns the call in every programming language, in the order of {@link LANGUAGES}. */
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
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template literal of the sample
    token && "Authorization: `Bearer ${process.env.TOKEN}`",
    body !== undefined && '"Content-Type": "application/json"',
  ].filter(Boolean);
  const options = [
    method !== "GET" && `  method: "${method}",`,
    headers.length > 0 && `  headers: { ${headers.join(", ")} },`,
    body !== undefined && `  body: JSON.stringify(${indented(literal(body), "  ")}),`,
    upload && "  body: form,",
  ].filter(Boolean);
  const setup = upload && [
    'import { openAsBlob } from "node:fs";',
    "",
    "const form = new FormData();",
    `form.append("${upload}", await openAsBlob("${FILE}"), "${FILE}");`,
  ];
  return [
    ...(setup || []),
    options.length > 0
      ? `const response = await fetch("${url}", {\n${options.join("\n")}\n});`
      : `const response = await fetch("${url}");`,
    "if (!response.ok) throw new Error(await response.text());",
    `const ${file ? "file" : "result"} = await response.${file ? "blob" : "json"}();`,
  ].join("\n");
}

/** Prints JSON as a JavaScript literal, with unquoted keys where possible. */
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
    body !== undefined && `    CURLOPT_POSTFIELDS => json_encode(${phpValue(body, "    ", true)}),`,
    upload && `    CURLOPT_POSTFIELDS => ['${upload}' => new CURLFile('${FILE}')],`,
    "]);",
    file ? "$file = curl_exec($curl);" : "$result = json_decode(curl_exec($curl), true);",
    "$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);",
  ]
    .filter(Boolean)
    .join("\n");
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;

/** Prints a value as PHP. The outermost value must become a JSON object, even without fields. */
function phpValue(value: unknown, by: string, outermost = false): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return String(value);
  const inner = `${by}    `;
  const rows = Array.isArray(value)
    ? value.map((each) => `${inner}${phpValue(each, inner)},`)
    : Object.entries(value).map(([name, each]) => `${inner}${quoted(name)} => ${phpValue(each, inner)},`);
  if (rows.length > 0) return `[\n${rows.join("\n")}\n${by}]`;
  return outermost || !Array.isArray(value) ? "new stdClass()" : "[]";
}
