import { expect, it } from "vitest";
import { generateSamples, type SampleCall } from "./samples";

const CREATE_SITE_CALL: SampleCall = {
  method: "POST",
  url: "https://panel.example.com/api/sites",
  sendsToken: true,
  body: { name: 'Ada\'s \\ "shop"', active: true, tags: ["a", null], settings: {}, "x-y": 7 },
};

it("generates the same request for curl, fetch and PHP", () => {
  const [curl, typescript, php] = generateSamples(CREATE_SITE_CALL);
  const body = /-d '(.*)'$/s.exec(curl!)![1]!.replaceAll("'\\''", "'");
  expect(JSON.parse(body)).toEqual(CREATE_SITE_CALL.body);
  expect(curl).toMatch(
    /^curl -X POST https:\/\/panel\.example\.com\/api\/sites \\\n {2}-H "Authorization: Bearer \$TOKEN"/,
  );
  const [, literal] = /JSON\.stringify\((.*)\),\n\}\);/s.exec(typescript!)!;
  expect(new Function(`return (${literal})`)()).toEqual(CREATE_SITE_CALL.body);
  expect(typescript).toContain('method: "POST"');
  expect(php).toContain("'name' => 'Ada\\'s \\\\ \"shop\"',");
  expect(php).toContain("'settings' => new stdClass(),");
  expect(php).toContain("CURLOPT_CUSTOMREQUEST => 'POST'");
});

it("generates valid TypeScript for every kind of call, and an empty body as an object in PHP", () => {
  const calls: SampleCall[] = [
    CREATE_SITE_CALL,
    { method: "GET", url: "https://panel.example.com/api/health", sendsToken: false },
    { method: "GET", url: "https://panel.example.com/api/sites.csv", sendsToken: true, file: true },
    { method: "POST", url: "https://panel.example.com/api/media/upload", sendsToken: true, upload: "file" },
    { method: "POST", url: "https://panel.example.com/api/x", sendsToken: false, body: {} },
  ];
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  for (const call of calls) {
    const [, typescript] = generateSamples(call);
    expect(() => new AsyncFunction(typescript!.replace(/^import .*$/m, ""))).not.toThrow();
  }
  expect(generateSamples(calls[4]!)[2]).toContain("json_encode(new stdClass())");
});
