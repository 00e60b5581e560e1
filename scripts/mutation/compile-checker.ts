import path from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import ts from 'typescript';

/** Unused or unreachable code is normal after a mutation, and no reason to skip it. */
const OPTIONS = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

/**
 * Rejects mutants that do not compile. A language service checks only the mutated file, which takes about 10 ms.
 * Stryker's own checker compiles the project again, which takes a second, with the same results.
 */
class CompileChecker implements Checker {
  static readonly inject: [typeof commonTokens.options] = [commonTokens.options];
  readonly #tsconfig: string;
  /** The original sources, which are mutated. */
  readonly #sources = new Map<string, string>();
  /** Mutated files. Each change is a new version. */
  readonly #mutated = new Map<string, { version: number; text: string }>();
  /** Files that compile without a change. */
  readonly #compiling = new Set<string>();
  #service: ts.LanguageService | undefined;

  constructor(options: StrykerOptions) {
    this.#tsconfig = options.tsconfigFile;
  }

  async init(): Promise<void> {
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: throwDiagnostic };
    const config = ts.getParsedCommandLineOfConfigFile(this.#tsconfig, OPTIONS, host);
    if (config === undefined) throw new Error(`${this.#tsconfig} cannot be read`);
    for (const file of config.fileNames) this.#sources.set(path.resolve(file), ts.sys.readFile(file) ?? '');
    this.#service = ts.createLanguageService({
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      getCompilationSettings: () => config.options,
      getScriptFileNames: () => config.fileNames,
      getScriptVersion: (file) => String(this.#mutated.get(file)?.version ?? 0),
      getScriptSnapshot: (file) => {
        const text = this.#mutated.get(file)?.text ?? this.#sources.get(file) ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      // Packages are links, and must find their dependencies from their real paths.
      realpath: (file) => ts.sys.realpath?.(file) ?? file,
    });
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#checkOne(mutant)]));
  }

  #checkOne({ fileName, location: { start, end }, replacement }: Mutant): CheckResult {
    if (this.#service === undefined) throw new Error('init comes first');
    const file = path.resolve(fileName);
    if (!this.#compiling.has(file)) {
      this.#mutated.clear();
      // Otherwise all mutants of the file would be rejected.
      const problem = findProblem(this.#service, file);
      if (problem !== undefined) throw new Error(`${fileName} does not compile as it is: ${problem}`);
      this.#compiling.add(file);
    }
    const source = this.#sources.get(file) ?? '';
    const lines = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
    const offset = ({ line, column }: Mutant['location']['start']) =>
      ts.getPositionOfLineAndCharacter(lines, line, column);
    const version = (this.#mutated.get(file)?.version ?? 0) + 1;
    this.#mutated.clear();
    this.#mutated.set(file, {
      version,
      text: source.slice(0, offset(start)) + replacement + source.slice(offset(end)),
    });
    const reason = findProblem(this.#service, file);
    return reason === undefined ? { status: CheckStatus.Passed } : { status: CheckStatus.CompileError, reason };
  }
}

/** Returns the first reason why the file does not compile. */
function findProblem(service: ts.LanguageService, file: string): string | undefined {
  const [problem] = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
  return problem && ts.flattenDiagnosticMessageText(problem.messageText, '\n');
}

function throwDiagnostic({ messageText }: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** Stryker looks for this export in a plugin. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'compile', CompileChecker)];
