import { listParsers, parseAsDay } from "@/components/api/list-parsers";

export const payoutParsers = {
  ...listParsers(["open", "-open", "name", "-name"], "-open"),
  until: parseAsDay,
};
