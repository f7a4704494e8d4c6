import { env, listSettingsWarnings } from "../../core/env";

/* Prints the warnings or the error of the settings in a directory as JSON. */
const [folder, settings] = process.argv.slice(2);
process.chdir(folder!);
for (const name of Object.keys(process.env)) if (name !== "PATH") delete process.env[name];
Object.assign(process.env, JSON.parse(settings!));

function readOutcome() {
  try {
    env();
    return { warnings: listSettingsWarnings() };
  } catch (error) {
    const { name, message } = error as Error;
    return { refused: name === "SettingsError" ? message : `${name}: ${message}` };
  }
}
process.stdout.write(`${JSON.stringify(readOutcome())}\n`);
