import { createListParsers, parseAsDay } from "@/components/api/list-parsers";

export const payoutParsers = {
  ...createListParsers(["open", "-open", "name", "-name"], "-open"),
  until: parseAsDay,
};
