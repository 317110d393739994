import FaultOrigin

// The scripted server lives beside the tests, because other programs play it too.
typealias Origin = ScriptedOrigin
typealias OriginStep = FaultOrigin.OriginStep
typealias OriginGate = FaultOrigin.OriginGate
typealias OriginError = FaultOrigin.OriginError
typealias OriginIdentity = FaultOrigin.OriginIdentity
typealias SeenRequest = FaultOrigin.SeenRequest
typealias OriginThread = FaultOrigin.OriginThread
