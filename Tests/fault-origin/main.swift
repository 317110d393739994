import FaultOrigin
import Glibc

// The fault table for programs that are no tests: Benchmarks/faults plays it to other clients.
//
//   fault-origin list             a line for each case that a client without a job can play
//   fault-origin CASE FOLDER      serves the case until standard input ends; FOLDER gets the job,
//                                 the authority's certificate, and the file as it must become

do {
  let arguments = CommandLine.arguments.dropFirst()
  if arguments.first == "list" {
    for fault in FaultTable.cases where fault.peers != .none { Serving.say(Serving.line(fault)) }
  } else if arguments.count == 2, let name = arguments.first,
    let fault = FaultTable.named(name), let folder = arguments.last
  {
    try Serving(fault, folder).untilInputEnds()
  } else {
    Serving.say("fault-origin: list, or CASE FOLDER; list names the cases", to: STDERR_FILENO)
    exit(2)
  }
} catch {
  Serving.say("fault-origin: \(error)", to: STDERR_FILENO)
  exit(1)
}
