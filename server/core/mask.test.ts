import { describe, expect, it } from "vitest";
import { LINEAR_TIME_LIMIT_MS, measureCpuTimeMs } from "@/server/testing/cpu-time";
import { maskContacts } from "./mask";

describe("maskContacts", () => {
  it.each([
    ["mail gül.ışık@örnek.com.tr today", "mail g***k@ö***.tr today"],
    ["+905321234567", "+90 5** *** ** 67"],
    ["+90 (532) 123 45 67", "+90 5** *** ** 67"],
    ["0532 777 66 55", "***"],
    ["call 0532-777-66-55 or (0532) 7776655", "call *** or ***"],
    ["05327776655", "***"],
    ["5327776655", "***"],
    ["0532.777.66.55", "***"],
    ["0532 777 66 55 - 0533 777 66 55", "*** - ***"],
    ["5327776655x 5337776655", "5327776655x ***"],
    ["tel:05327776655,a@b.co", "tel:***,a***@b***.co"],
  ])("masks %j as %j", (text, masked) =>
    expect(maskContacts({ note: [text] }, [])).toEqual({ note: [masked] }),
  );

  it.each([
    "2026-11-28",
    "2026-11-28T07:16:58.123456Z",
    "on 28.11.2026 at 10:30",
    "1250000.00",
    "192.168.100.200",
    "TR33 0006 1005 1978 6457 8413 26",
    "550e8400-e29b-41d4-a716-446655440000",
    "https://panel.test/media/f/0112345678/1.png",
    "INV2026000000123",
    "order 4711 of 2026",
  ])("leaves %j unchanged", (text) => expect(maskContacts({ note: text }, [])).toEqual({ note: text }));

  it("leaves known people, in any format, and record ids unchanged", () => {
    const exempt = ["own@example.com", "+905321234567"];
    const value = {
      email: "Own@example.com",
      note: "0532 123 45 67",
      phone: "+90 532 123 45 67",
      telegram_id: "1234567890",
    };
    expect(maskContacts(value, exempt)).toEqual(value);
  });
});

it.each([
  "a",
  "a@",
  "a@a.",
  "@",
  ".",
  "1",
  "1 ",
  "1(",
  "+1",
  "( ",
  "1-",
  "AA11 ",
  "ş",
  "1      1a",
  "(0-",
  " 0-",
  "+ ",
  "- 1",
])("masks %j, repeated, in linear time", (piece) => {
  const text = piece.repeat(100_000 / piece.length);
  expect(measureCpuTimeMs(() => maskContacts(text, []))).toBeLessThan(LINEAR_TIME_LIMIT_MS);
});
