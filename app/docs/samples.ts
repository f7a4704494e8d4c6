export interface SampleCall {
  method: string;
  url: string;
  /** Sends the token from the environment variable `TOKEN`. */
  sendsToken: boolean;
  body?: unknown;
  /** Name of the form field for the file. */
  upload?: string;
  /** The response is a file instead of JSON. */
  file?: boolean;
}

export const SAMPLE_LANGUAGES = ["curl", "TypeScript", "PHP"] as const;

/** Returns the call in every programming language, in the order of `SAMPLE_LANGUAGES`. */
export function generateSamples(call: SampleCall): string[] {
  return [toCurl(call), toTypeScript(call), toPhp(call)];
}

const FILE_NAME = "picture.jpg";
const printJson = (value: unknown) => JSON.stringify(value, null, 2);
const indent = (text: string, indentation: string) => text.replaceAll("\n", `\n${indentation}`);

function toCurl({ method, url, sendsToken, body, upload }: SampleCall): string {
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${url}`,
    sendsToken && '-H "Authorization: Bearer $TOKEN"',
    upload && `-F ${upload}=@${FILE_NAME}`,
    body !== undefined && '-H "Content-Type: application/json"',
    body !== undefined && `-d '${indent(printJson(body), "  ").replaceAll("'", "'\\''")}'`,
  ]
    .filter(Boolean)
    .join(" \\\n  ");
}

function toTypeScript({ method, url, sendsToken, body, upload, file }: SampleCall): string {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template literal of the sample
    sendsToken && "Authorization: `Bearer ${process.env.TOKEN}`",
    body !== undefined && '"Content-Type": "application/json"',
  ].filter(Boolean);
  const options = [
    method !== "GET" && `  method: "${method}",`,
    headers.length > 0 && `  headers: { ${headers.join(", ")} },`,
    body !== undefined && `  body: JSON.stringify(${indent(toJavaScriptLiteral(body), "  ")}),`,
    upload && "  body: form,",
  ].filter(Boolean);
  const setup = upload && [
    'import { openAsBlob } from "node:fs";',
    "",
    "const form = new FormData();",
    `form.append("${upload}", await openAsBlob("${FILE_NAME}"), "${FILE_NAME}");`,
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
function toJavaScriptLiteral(value: unknown): string {
  return printJson(value).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

function toPhp({ method, url, sendsToken, body, upload, file }: SampleCall): string {
  const headers = [
    sendsToken && "'Authorization: Bearer ' . getenv('TOKEN')",
    body !== undefined && "'Content-Type: application/json'",
  ].filter(Boolean);
  return [
    `$curl = curl_init(${quotePhp(url)});`,
    "curl_setopt_array($curl, [",
    "    CURLOPT_RETURNTRANSFER => true,",
    method !== "GET" && `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    headers.length > 0 && `    CURLOPT_HTTPHEADER => [${headers.join(", ")}],`,
    body !== undefined && `    CURLOPT_POSTFIELDS => json_encode(${toPhpValue(body, "    ", true)}),`,
    upload && `    CURLOPT_POSTFIELDS => ['${upload}' => new CURLFile('${FILE_NAME}')],`,
    "]);",
    file ? "$file = curl_exec($curl);" : "$result = json_decode(curl_exec($curl), true);",
    "$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);",
  ]
    .filter(Boolean)
    .join("\n");
}

const quotePhp = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;

/** Prints a value as PHP. The outermost value must become a JSON object, even without fields. */
function toPhpValue(value: unknown, indentation: string, isOutermost = false): string {
  if (typeof value === "string") return quotePhp(value);
  if (typeof value !== "object" || value === null) return String(value);
  const innerIndentation = `${indentation}    `;
  const rows = Array.isArray(value)
    ? value.map((each) => `${innerIndentation}${toPhpValue(each, innerIndentation)},`)
    : Object.entries(value).map(
        ([name, each]) => `${innerIndentation}${quotePhp(name)} => ${toPhpValue(each, innerIndentation)},`,
      );
  if (rows.length > 0) return `[\n${rows.join("\n")}\n${indentation}]`;
  return isOutermost || !Array.isArray(value) ? "new stdClass()" : "[]";
}
